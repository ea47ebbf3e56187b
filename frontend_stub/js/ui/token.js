/** Asks for a token when there is none, or when the server refuses it. */

import { h } from "./dom.js";

/** @param {HTMLDialogElement} dialog @param {import("../state.js").State["token"]} state */
export function askForToken(dialog, state) {
  if (dialog.open) dialog.close();
  const input = h("input", { type: "password", required: true, autocomplete: "off", placeholder: "sv_…" });
  const form = h("form.stack", { method: "dialog" },
    h("h2", { id: "dialog-title" }, state === "refused" ? "Another token, please" : "A token, please"),
    h("p", {}, state === "refused" ? "The server does not accept the token: it was revoked, has expired, or belongs to another server." : "The page needs a token to read from this server."),
    h("p.quiet", {}, "Open the link that ", h("code", {}, "make run"), " prints, or paste a token here; ",
      h("code", {}, "manage.py issue_token"), " issues one."),
    h("label", {}, "Token", input),
    h("div.row", {}, h("button.primary", { type: "submit" }, "Continue")));
  form.addEventListener("submit", () => {
    sessionStorage.setItem("token", input.value.trim());
    location.reload();
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}
