/** Text that is put into markup as text. */

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escapeMarkup = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");
