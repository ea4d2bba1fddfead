/** Light, dark, or system theme. `public/theme.js` applies the same rule before the first paint. */
import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'chancery.theme'
const { subscribe, tell } = createListeners()
const systemDark = matchMedia('(prefers-color-scheme: dark)')

function readChoice(): Theme {
  try {
    const stored = localStorage.getItem(storageKey)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

let chosen = readChoice()
let isForPaper = false

function apply() {
  const dark = !isForPaper && (chosen === 'dark' || (chosen === 'system' && systemDark.matches))
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', dark ? '#0f1116' : '#f1ede5')
  tell()
}

systemDark.addEventListener('change', apply)

/** For a page that is made to be printed: light, whatever was chosen. */
export function usePaperTheme() {
  useEffect(() => {
    isForPaper = true
    apply()
    return () => {
      isForPaper = false
      apply()
    }
  }, [])
}

export function chooseTheme(theme: Theme) {
  chosen = theme
  try {
    if (theme === 'system') localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  apply()
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => chosen)

/** The effective theme, for pictures drawn in the colours of the page. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme === 'dark')
