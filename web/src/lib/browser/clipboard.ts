/** Copies text. The clipboard may be unavailable on pages without TLS, so the result says whether it worked. */

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** The fallback for plain HTTP on a local network, where `navigator.clipboard` doesn't exist. */
function copyBySelection(text: string): boolean {
  const copySource = document.createElement('textarea')
  copySource.value = text
  copySource.style.cssText = 'position:fixed;opacity:0'
  // Inside the open dialog if there is one: its focus trap would take the selection back.
  const parent = document.activeElement?.closest('[role="dialog"]') ?? document.body
  parent.append(copySource)
  copySource.select()
  const done = document.execCommand('copy')
  copySource.remove()
  return done
}
