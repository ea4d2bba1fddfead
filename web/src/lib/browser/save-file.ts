/** Downloads an address of our own, where there is no link to click. */
export function saveUrl(url: string, name: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Downloads a text as a file. */
export function saveFile(name: string, text: string, type: string) {
  const address = URL.createObjectURL(new Blob([text], { type }))
  saveUrl(address, name)
  // The download holds the bytes itself after the next turn of the event loop.
  setTimeout(() => URL.revokeObjectURL(address))
}
