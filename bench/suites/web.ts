/**
 * Loads an empty chat in a browser, cold, over a slow line (10 Mbit/s, 40 ms), and notes when it shows and can be used.
 * `npm run bench -- web /path/to/checkout` measures another checkout, built beforehand, in the same run: the base.
 * Limit: the first paint in at most half of the base's time.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startChromium } from '../../server/test/harness/chromium.ts'
import { signUp } from '../lib/person.ts'
import { ownRoot, startServer } from '../lib/server.ts'

const rounds = 9
const slowLine = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }

interface PageFacts {
  kilobytes: number
  requests: number
  firstPaintMs: number
  usableMs: number
  layoutShift: number
}

/** Runs in the page before its own code, and collects what only an observer is told. */
const observe = `
  window.measured = { shift: 0, lastLongTaskEnd: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.measured.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.measured.lastLongTaskEnd = entry.startTime + entry.duration
  }).observe({ type: 'longtask', buffered: true })
`

/** Usable: the composer is there, and no task of 50 ms or more runs after this. */
const readFacts = `(() => {
  const { shift, lastLongTaskEnd } = window.measured
  const paint = performance.getEntriesByName('first-contentful-paint')[0]
  return { firstPaintMs: paint ? paint.startTime : NaN, layoutShift: shift, lastLongTaskEnd }
})()`

async function openChat(browser: Browser, url: string, token: string): Promise<PageFacts> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addCookies([{ name: 'token', value: token, url, httpOnly: true, sameSite: 'Lax' }])
  const page = await context.newPage()
  const line = await context.newCDPSession(page)
  let [bytes, requests] = [0, 0]
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', slowLine)
  // A browser that has signed in before.
  await page.addInitScript(`localStorage.setItem('chancery.side', 'person')`)
  await page.addInitScript(observe)
  const start = performance.now()
  await page.goto(`${url}/chat`, { waitUntil: 'commit' })
  await page.getByRole('textbox').first().waitFor()
  const composerMs = performance.now() - start
  // The live connection is a WebSocket, so the network does become idle.
  await page.waitForLoadState('networkidle')
  const { firstPaintMs, layoutShift, lastLongTaskEnd } = await page.evaluate<{
    firstPaintMs: number
    layoutShift: number
    lastLongTaskEnd: number
  }>(readFacts)
  await context.close()
  const usableMs = Math.max(composerMs, lastLongTaskEnd)
  return { kilobytes: bytes / 1000, requests, firstPaintMs, usableMs, layoutShift }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

function print(name: string, all: PageFacts[]): number {
  const of = (key: keyof PageFacts) => median(all.map((facts) => facts[key]))
  console.log(
    `${name.padEnd(5)} ${Math.round(of('kilobytes'))} kB in ${of('requests')} requests  first paint ${Math.round(of('firstPaintMs'))} ms  usable ${Math.round(of('usableMs'))} ms  layout shift ${of('layoutShift').toFixed(3)}`,
  )
  return of('firstPaintMs')
}

interface Contender {
  name: string
  root: string
}

/** In turns, so that what else the machine does hits all of them alike. */
async function measure(browser: Browser, contenders: readonly Contender[]): Promise<number[]> {
  const unbuilt = contenders.find(({ root }) => !existsSync(join(root, 'web/dist/index.html')))
  if (unbuilt) throw new Error(`${unbuilt.root} has no built web app`)
  const servers = await Promise.all(
    contenders.map(async ({ name, root }) => ({ name, server: await startServer({}, root), all: [] as PageFacts[] })),
  )
  try {
    const tokens = await Promise.all(servers.map(async ({ server }) => (await signUp(server.url)).token))
    for (let round = 0; round < rounds; round += 1)
      for (const [index, { server, all }] of servers.entries())
        all.push(await openChat(browser, server.url, tokens[index] ?? ''))
    return servers.map(({ name, all }) => print(name, all))
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()))
  }
}

export const run = async (): Promise<void> => {
  const base = process.argv[3]
  const browser = await startChromium()
  try {
    const own = { name: 'now', root: ownRoot }
    const [now = 0, before] = await measure(browser, base === undefined ? [own] : [own, { name: 'base', root: base }])
    if (before !== undefined) console.log(`first paint: ${(now / before).toFixed(2)} of the base (limit 0.5)`)
  } finally {
    await browser.close()
  }
}
