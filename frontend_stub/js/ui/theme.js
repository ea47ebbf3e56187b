/** Light or dark: the choice of the user, else that of the system. */

/**
 * @param {HTMLElement} button
 * @param {() => void} onChange
 */
export function listenToTheme(button, onChange) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem("theme") ?? (system.matches ? "dark" : "light");
  const apply = () => {
    document.documentElement.dataset.theme = chosen();
    onChange();
  };
  button.addEventListener("click", () => {
    localStorage.setItem("theme", chosen() === "dark" ? "light" : "dark");
    apply();
  });
  system.addEventListener("change", apply);
  queueMicrotask(apply);
  document.documentElement.dataset.theme = chosen();
  return { isDark: () => document.documentElement.dataset.theme === "dark" };
}
