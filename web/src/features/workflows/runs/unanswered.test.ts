import { expect, it } from 'vitest'
import { sampleRun, sampleStep } from './sample.ts'
import { failedUnanswered } from './unanswered.ts'

const skipped = sampleStep('call', { output: { not_run: true, would_use: {} } })
const failed = { is_test: true, status: 'failed', error: "Check: KeyError: 'body'" } as const

it('tells a failed test that some nodes were not run', () => {
  expect(failedUnanswered(sampleRun([skipped], failed))).toBe(true)
  expect(failedUnanswered(sampleRun([skipped], { ...failed, error: null }))).toBe(false)
  expect(failedUnanswered(sampleRun([sampleStep('call', { output: { status: 200 } })], failed))).toBe(false)
  expect(failedUnanswered(sampleRun([skipped], { ...failed, is_test: false }))).toBe(false)
})
