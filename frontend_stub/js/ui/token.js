/** Asks for a token when there is none, or when the server refuses it. */

import { h } from "./dom.js";

/** @param {HTMLDialogElement} dialog @param {string} reason */
export function askForToken(dialog, reason) {
  if (dialog.open) return;
  const input = h("input", { type: "password", required: true, autocomplete: "off", placeholder: "sv_…" });
  const form = h("form.stack", { method: "dialog" },
    h("h2", { id: "dialog-title" }, "A token, please"),
    h("p", {}, `${reason} Open the link that `, h("code", {}, "make run"), " prints, or paste a token here; ",
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
