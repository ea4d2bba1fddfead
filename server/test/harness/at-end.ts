/** Cleans up after the test that is under way, or else after its file: inside a test, `afterAll` is ignored silently. */
import { afterAll, onTestFinished, TestRunner } from 'vitest'

export const atEnd = (clean: () => unknown): void => {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await clean()))
  else afterAll(async () => void (await clean()))
}
