/**
 * Nobody sees the pages of a test, and an eighth of the processor time went into their pixels. Fully transparent, a page
 * is laid out, clicked and read as ever, but Chromium paints nothing of it.
 */

/** For every new document of a profile. */
export const leaveUndrawn = `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('html { opacity: 0 !important }')
  document.adoptedStyleSheets = [sheet]
}`

/** Runs a script as in a page that is seen. It should not wait for anything, or the page is drawn meanwhile. */
export const asDrawn = (expression: string): string => `(async () => {
  const { style } = document.documentElement
  style.setProperty('opacity', '1', 'important')
  try {
    return await ${expression}
  } finally {
    style.removeProperty('opacity')
  }
})()`
