/** Prints a text on a page of its own. */
export function printText(title: string, text: string) {
  const frame = document.createElement('iframe')
  // Not hidden: Firefox prints nothing of a frame that isn’t laid out.
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0'
  document.body.append(frame)
  const page = frame.contentWindow
  if (!page) return frame.remove()
  const sheet = page.document.createElement('pre')
  sheet.textContent = `${title}\n\n${text}`
  page.document.title = title
  page.document.body.append(sheet)
  page.addEventListener('afterprint', () => frame.remove())
  page.print()
}
