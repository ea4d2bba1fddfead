/** Debian's Chromium, started once for the whole run. */
import { existsSync } from 'node:fs'
import { type BrowserServer, chromium } from 'playwright-core'

export const chromiumPath = '/usr/bin/chromium'

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
  if (existsSync(chromiumPath)) return chromium.launchServer({ executablePath: chromiumPath, args, headless: true })
  if (process.env.CI) throw new Error(`${chromiumPath} is missing: browser tests cannot run`)
  process.stderr.write('SKIPPED: all browser tests, since chromium is not installed\n')
  return undefined
}
