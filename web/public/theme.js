// Runs before the first paint, so a dark page doesn't flash white. Must match lib/theme.ts.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  let chosen = null
  try {
    chosen = localStorage.getItem('chancery.theme')
  } catch {
    // Storage may be blocked; the system theme is used then.
  }
  const theme = chosen === 'light' || chosen === 'dark' ? chosen : dark ? 'dark' : 'light'
  document.documentElement.dataset.theme = theme
  document.querySelector('meta[name="theme-color"]').content = theme === 'dark' ? '#0f1116' : '#f1ede5'
})()
