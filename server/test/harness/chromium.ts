/** Debian's Chromium. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The one without a window comes first: it draws the same and costs less. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** False where Chromium is not installed; CI never lacks it. */
export const hasChromium = (): boolean => {
  if (executablePath !== undefined) return true
  if (process.env.CI) throw new Error('chromium is missing: browser tests cannot run')
  process.stderr.write('SKIPPED: browser tests, since chromium is not installed\n')
  return false
}

/** Ends with the process that started it. */
export const startChromium = (): Promise<Browser> => {
  if (executablePath === undefined) throw new Error('chromium is missing')
  return chromium.launch({ executablePath, args, headless: true })
}
