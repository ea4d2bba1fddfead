/** Debian's Chromium, started once for the whole run. */
import { existsSync } from 'node:fs'
import { type BrowserServer, chromium } from 'playwright-core'

/** The one without a window comes first: it draws the same and costs less. */
const paths = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Undefined where Chromium is not installed; CI never lacks it. */
export const startChromium = async (): Promise<BrowserServer | undefined> => {
  const executablePath = paths.find(existsSync)
  if (executablePath !== undefined) return chromium.launchServer({ executablePath, args, headless: true })
  if (process.env.CI) throw new Error('chromium is missing: browser tests cannot run')
  process.stderr.write('SKIPPED: all browser tests, since chromium is not installed\n')
  return undefined
}
