/**
 * Browser profiles, each with a page, which tests use one after another. A new page loads and compiles the app for the
 * first time, which takes twice as long; so the page of an ended test is emptied and used again.
 */
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { leaveUndrawn } from './undrawn.ts'

export interface Profile {
  context: BrowserContext
  page: Page
  devtools: CDPSession
  /** Of the app that the test looks at. */
  origin: string
  /** A test did something to it that can't be undone. */
  isSpent: boolean
}

export const takesPictures = process.env.SCREENSHOTS !== undefined
export const wide = { width: 1360, height: 850 }
/** Without motion, so that nothing is looked at half-way. */
export const calm = { colorScheme: 'light', reducedMotion: 'reduce' } as const
const options: BrowserContextOptions = { viewport: wide, ...calm }

const idle: Profile[] = []

/** An empty one: no cookies, no storage, nothing on the page. Its cache holds only what the server lets a browser keep. */
export const borrowProfile = async (browser: Browser, origin: string): Promise<Profile> => {
  const profile = idle.pop() ?? (await openProfile(browser, origin))
  profile.origin = origin
  await profile.devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  return profile
}

/** The effect of these lasts as long as the page or its context. */
const lasting = ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket'] as const
const lastingOfContext = [...lasting, 'grantPermissions', 'on', 'route', 'setExtraHTTPHeaders', 'setOffline'] as const
/** Every page of the context has it from then on, with a `performance` that knows nothing. */
const lastingOfClock = ['install', 'setFixedTime', 'setSystemTime'] as const

const openProfile = async (browser: Browser, origin: string): Promise<Profile> => {
  const context = await browser.newContext(options)
  if (!takesPictures) await context.addInitScript(leaveUndrawn)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const profile = { context, page, devtools: await context.newCDPSession(page), origin, isSpent: false }
  const spend = () => {
    profile.isSpent = true
  }
  for (const name of lasting) tellOf(page, name, spend)
  for (const name of lastingOfContext) tellOf(context, name, spend)
  for (const name of lastingOfClock) tellOf(context.clock, name, spend)
  return profile
}

const tellOf = <Name extends string>(
  target: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  tell: () => void,
) => {
  const original = target[name].bind(target)
  target[name] = (...args) => {
    tell()
    return original(...args)
  }
}

const listened = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
]

/** Takes back what a test did to the page, except where it is and what it stored. */
export const undoChanges = async ({ context, page }: Profile): Promise<void> => {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of listened) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.emulateMedia({ ...calm, media: null })
  await page.setViewportSize(wide)
}

/** Leaves the app before anything is cleared, since a page can write until its end. */
export const returnProfile = async (profile: Profile): Promise<void> => {
  const { context, page, origin } = profile
  if (profile.isSpent || page.isClosed()) return context.close()
  try {
    await undoChanges(profile)
    await page.goto(`${origin}/favicon.svg`)
    await page.evaluate('sessionStorage.clear()')
    await context.clearCookies()
    idle.push(profile)
  } catch {
    await context.close()
  }
}
