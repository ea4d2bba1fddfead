/** Hands a text to the browser as a download. */
export function saveFile(name: string, text: string, type: string) {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the bytes by the next turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address))
}
