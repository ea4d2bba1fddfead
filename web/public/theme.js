// Runs before the first paint, so that nobody in a dark room is blinded by a white page. Kept in step with lib/theme.ts.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  let chosen = null
  try {
    chosen = localStorage.getItem('chancery.theme')
  } catch {
    // Storage may be closed to us; the system's choice is good enough.
  }
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : dark ? 'dark' : 'light'
  document.documentElement.dataset.theme = theme
  document.querySelector('meta[name="theme-color"]').content = theme === 'dark' ? '#0f1116' : '#f1ede5'
})()
