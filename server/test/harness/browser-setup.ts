/** Starts the browser that all browser tests share. Runs without browser tests do without it. */
import type { TestProject } from 'vitest/node'
import { startChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Empty where there is no Chromium. */
    chromiumEndpoint: string
  }
}

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const browser = await startChromium()
  provide('chromiumEndpoint', browser?.wsEndpoint() ?? '')
  return async () => browser?.close()
}
