/** True if a failed test skipped nodes. Their results are missing, so the failure may come from the test itself. */
import type { Run } from '@chancery/contract/workflows/runs.ts'

export const failedUnanswered = ({ is_test, error, steps }: Pick<Run, 'is_test' | 'error' | 'steps'>): boolean =>
  is_test && error !== null && steps.some(({ output }) => isNotRun(output))

const isNotRun = (output: unknown): boolean =>
  typeof output === 'object' && output !== null && 'not_run' in output && output.not_run === true
