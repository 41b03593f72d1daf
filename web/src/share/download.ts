/** Saves a text or bytes as a file of the reader's own; nothing is sent, so the policy of the page has nothing against it. */
export function download(name: string, type: string, content: string | Uint8Array): void {
  const address = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
