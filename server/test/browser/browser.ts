/**
 * A person at the app in a real Chromium. One browser serves all files of a worker; every test gets an empty profile.
 * With SCREENSHOTS set, inspections save pictures in artifacts/screenshots, outside git. A plain run takes none: no test
 * reads them, and there are two for each inspection.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { tokenCookie } from '#kernel/http/gate/credential.ts'
import { hasChromium, startChromium } from '../harness/chromium.ts'
import { password } from '../harness/people.ts'
import type { findFaintText } from './contrast.ts'
import { borrowProfile, calm, type Profile, returnProfile, takesPictures, wide } from './profiles.ts'
import { asDrawn } from './undrawn.ts'

const pictures = fileURLToPath(new URL('../../../artifacts/screenshots', import.meta.url))
const phone = { width: 390, height: 844 }

export interface Visit {
  page: Page
  context: BrowserContext
  /** Looks at the page wide and light, then narrow and dark, and fails on anything axe finds in either. */
  inspect(name: string, how?: Inspection): Promise<void>
}

export interface Watched extends Visit {
  problems: string[]
}

interface Inspection {
  /** The page follows a stream: its network never rests, and what it shows has been waited for already. */
  isLive?: boolean
}

export const hasBrowser = hasChromium()

/** Each worker talks to a browser of its own: one for all would send everything through the main process as well. */
let browser: Promise<Browser> | undefined

const connect = (): Promise<Browser> => {
  browser ??= startChromium()
  return browser
}

interface Arrival {
  /** The person who is signed in already; the sign-in form itself is the entrance tests' matter. */
  as?: { token: string }
}

/** Opens an address of the app. Whatever the page logs as an error fails the test that looks for it in `problems`. */
export const visit = async (url: string, { as }: Arrival = {}): Promise<Watched> => {
  const profile = await borrowFor(new URL(url).origin, as)
  onTestFinished(() => returnProfile(profile))
  const watched = watch(profile)
  await profile.page.goto(url)
  return watched
}

/** Signed in, but nowhere yet. */
export const borrowFor = async (origin: string, person: Arrival['as']): Promise<Profile> => {
  const profile = await borrowProfile(await connect(), origin)
  if (person)
    await profile.context.addCookies([
      { name: tokenCookie, value: person.token, url: origin, httpOnly: true, sameSite: 'Lax' },
    ])
  return profile
}

export const watch = ({ context, page }: Profile): Watched => {
  const problems: string[] = []
  page.on('pageerror', (problem) => problems.push(problem.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text())
  })
  return { page, context, problems, inspect: (name, how) => inspect(page, name, how) }
}

/** Goes to another page of the open app as a link does, without loading the app again. What it has cached stays. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)

/** The two steps of the sign-in form. */
export const signInAs = async (page: Page, email: string, given = password): Promise<void> => {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: true }).fill(given)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** On a phone, what depends on the layout, and the names of controls that only a phone shows. */
const phoneRules = [
  'aria-hidden-focus',
  'button-name',
  'link-in-text-block',
  'link-name',
  'scrollable-region-focusable',
]

const looks = [
  { colorScheme: 'light', viewport: wide, suffix: 'wide-light', rules: undefined },
  { colorScheme: 'dark', viewport: phone, suffix: 'phone-dark', rules: phoneRules },
] as const

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const axeOptions = { iframes: false, resultTypes: ['violations'], preload: false }
/** The rule for them takes as long as two thirds of the others, even where there are none. */
const inlineSpacing = '[style*="spacing"], [style*="line-height"], [style*="font:"]'
const contrast = stripTypeScriptTypes(await readFile(new URL('contrast.ts', import.meta.url), 'utf8'))
const findFaint = `(() => { ${contrast.replaceAll('export const', 'const')}; return findFaintText() })()`
export const faintTextIn = (page: Page): Promise<ReturnType<typeof findFaintText>> => page.evaluate(asDrawn(findFaint))

/**
 * Run in the page itself: axe's own driver opens a second page for each look, which takes ten times as long.
 * Only what is wrong is named and brought back, and style sheets aren't parsed again: that was half of its work.
 */
const findProblems = (runOnly: readonly string[] | undefined) =>
  asDrawn(`(async () => {
    const rules = {
      // Found by findFaintText().
      'color-contrast': { enabled: false },
      'avoid-inline-spacing': { enabled: document.querySelector('${inlineSpacing}') !== null },
    }
    const options = { ...${JSON.stringify({ ...axeOptions, runOnly })}, rules }
    const { violations } = await axe.run(document, { ...options, selectors: false })
    const named = violations.length === 0 ? [] : (await axe.run(document, options)).violations
    const found = named.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', '))
    return [...found, ...${findFaint}]
  })()`)

const inspect = async (page: Page, name: string, { isLive = false }: Inspection = {}): Promise<void> => {
  // Tests wait for what they look at; this only lets late arrivals in, and some pages are never quiet.
  if (!isLive) await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  if (takesPictures) await mkdir(pictures, { recursive: true })
  for (const { suffix, rules, ...look } of looks) {
    await show(page, look)
    if (takesPictures) await page.screenshot({ path: join(pictures, `${name}-${suffix}.png`) })
    expect(await page.evaluate<string[]>(findProblems(rules)), `${name}, ${suffix}`).toEqual([])
  }
  await show(page, { colorScheme: calm.colorScheme, viewport: wide })
}

type Look = Pick<(typeof looks)[number], 'colorScheme' | 'viewport'>

const isShown = (page: Page, { colorScheme, viewport }: Look): Promise<boolean> =>
  page.evaluate(
    `innerWidth === ${viewport.width} && innerHeight === ${viewport.height} &&
      matchMedia('(prefers-color-scheme: ${colorScheme})').matches &&
      matchMedia('(prefers-reduced-motion: reduce)').matches`,
  )

/** Returns when the page has drawn itself for it: a click before that can meet a button that is about to be replaced. */
const show = async (page: Page, look: Look): Promise<void> => {
  if (await isShown(page, look)) return
  // Together, so that the page is laid out once.
  await Promise.all([
    page.emulateMedia({ ...calm, colorScheme: look.colorScheme }),
    page.setViewportSize(look.viewport),
  ])
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}
