/** Tries a filter on the newest events the actor can see. */
import type { FilterTestBody, FilterTestReply } from '@chancery/contract/workflows/triggers.ts'
import type { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { checkFilter, presentListed, testFilters } from '#modules/event-bus/index.ts'
import type { WorkflowsContext } from '../context.ts'
import { getWorkflow } from '../definitions/get-workflow.ts'

const defaultCount = 20

type Reply = z.input<typeof FilterTestReply>

export const testFilter = async (
  { kernel: { db, expressions }, bus }: Pick<WorkflowsContext, 'kernel' | 'bus'>,
  actor: Actor,
  { workflowId, body }: { workflowId: string; body: z.output<typeof FilterTestBody> },
): Promise<Reply> => {
  await getWorkflow(db, actor, workflowId)
  const error = findError(body.filter_expr)
  if (error) return { error, results: [] }
  const events = await bus.listRecent(db, actor, {
    limit: body.limit ?? defaultCount,
    ...(body.event_type !== undefined && { eventType: body.event_type }),
  })
  const verdicts = await testFilters(
    expressions,
    events.map((event) => ({ event, filters: [body.filter_expr] })),
  )
  const results = events.map((event, index) => {
    const verdict = verdicts[index]?.[0] ?? { holds: false }
    const outcome =
      'error' in verdict ? { result: null, error: verdict.error.message } : { result: verdict.holds, error: null }
    return { event: presentListed(event), ...outcome }
  })
  return { error: null, results }
}

const findError = (text: string): Reply['error'] => {
  try {
    checkFilter(text)
    return null
  } catch (problem) {
    if (!(problem instanceof AppError) || problem.code !== 'filter_invalid') throw problem
    const [found] = problem.problems ?? []
    return { message: found?.msg ?? problem.message, line: found?.line ?? 1, column: found?.column ?? 1 }
  }
}
