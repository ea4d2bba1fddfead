/**
 * A person at the app in a real Chromium. One browser serves the whole run; every test gets a fresh profile.
 * Pictures go to artifacts/screenshots, outside git; not in CI, where nobody looks at them and each costs a second.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, expect, inject } from 'vitest'
import { password } from '../harness/people.ts'

const pictures = fileURLToPath(new URL('../../../artifacts/screenshots', import.meta.url))
const takesPictures = process.env.CI === undefined
const wide = { width: 1360, height: 850 }
const phone = { width: 390, height: 844 }

export interface Visit {
  page: Page
  context: BrowserContext
  /** Takes pictures (wide and light, narrow and dark) and fails on anything axe finds in either. */
  inspect(name: string): Promise<void>
}

export const hasBrowser = inject('chromiumEndpoint') !== ''

let browser: Promise<Browser> | undefined

const connect = (): Promise<Browser> => {
  browser ??= chromium.connect(inject('chromiumEndpoint'))
  return browser
}

afterAll(async () => {
  await (await browser)?.close()
})

/** Opens an address of the app. Whatever the page logs as an error fails the test that looks for it in `problems`. */
export const visit = async (url: string): Promise<Visit & { problems: string[] }> => {
  const context = await (await connect()).newContext({ viewport: wide, reducedMotion: 'reduce', colorScheme: 'light' })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const problems: string[] = []
  page.on('pageerror', (problem) => problems.push(problem.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text())
  })
  await page.goto(url)
  return { page, context, problems, inspect: (name) => inspect(page, name) }
}

/** The two steps of the sign-in form. */
export const signInAs = async (page: Page, email: string, given = password): Promise<void> => {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Password', { exact: true }).fill(given)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const looks = [
  { colorScheme: 'light', viewport: wide, suffix: 'wide-light' },
  { colorScheme: 'dark', viewport: phone, suffix: 'phone-dark' },
] as const

const inspect = async (page: Page, name: string): Promise<void> => {
  await mkdir(pictures, { recursive: true })
  await page.waitForLoadState('networkidle')
  for (const { colorScheme, viewport, suffix } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    if (takesPictures) await page.screenshot({ path: join(pictures, `${name}-${suffix}.png`) })
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    expect(found, `${name}, ${suffix}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(wide)
}
