/** Copying text. The clipboard may be closed to a page that is not served over TLS, so failure is an answer. */

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** The old way, for plain http on a local network, where `navigator.clipboard` does not exist. */
function copyBySelection(text: string): boolean {
  const carrier = document.createElement('textarea')
  carrier.value = text
  carrier.style.cssText = 'position:fixed;opacity:0'
  // Inside the open dialog when there is one: its focus trap would take the selection back.
  const place = document.activeElement?.closest('[role="dialog"]') ?? document.body
  place.append(carrier)
  carrier.select()
  const done = document.execCommand('copy')
  carrier.remove()
  return done
}
