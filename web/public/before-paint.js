// Before the first paint: a remembered theme must not flash, and a question in the address must not be preceded
// by the answer to the worked example.
// Modules are not loaded from the file system, so nothing else could say it.
document.documentElement.toggleAttribute("data-from-file", location.protocol === "file:");
document.documentElement.toggleAttribute("data-linked", location.hash.length > 1);
try {
  document.documentElement.dataset.theme = localStorage.getItem("epsilometer-theme") ?? "system";
} catch {
  // Storage may be forbidden: the system's theme then.
}
