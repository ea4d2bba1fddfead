/**
 * Cleans up after the test that is under way, or else after its file. Vitest's `afterAll` is silently ignored inside a
 * test and inside `beforeAll`, so what is started there is kept in a list, which the setup of each file empties.
 */
import { afterAll, onTestFinished, TestRunner } from 'vitest'

type Clean = () => unknown

let isCollecting = true
const afterFile: Clean[] = []

export const atEnd = (clean: Clean): void => {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await clean()))
  else if (isCollecting) afterAll(async () => void (await clean()))
  else afterFile.push(clean)
}

export const beginFile = (): void => {
  isCollecting = true
}

export const beginTests = (): void => {
  isCollecting = false
}

/** The newest first, because it may use what was there before it. */
export const endFile = async (): Promise<void> => {
  for (const clean of afterFile.splice(0).toReversed()) await clean()
}
