/** Downloads a text as a file. */
export function saveFile(name: string, text: string, type: string) {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download holds the bytes itself after the next turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address))
}
