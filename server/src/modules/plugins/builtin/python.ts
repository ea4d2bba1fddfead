/**
 * `builtin:python`: runs Python that a model writes in the browser of the person who asks, in a sandboxed frame without
 * network. The event `execute:python` is the server's own: no plugin, tool server or REST caller can send it.
 */
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Ids } from '#kernel/ids.ts'
import type { Realtime } from '#modules/realtime/index.ts'
import { builtinSource, type ToolContext, type ToolResult, type ToolSource } from '#modules/tools/index.ts'
import { beginCodeRun } from './code-run.ts'

export const pythonToolId = 'builtin:python'
/** The browser ends a run long before; this is for one that says nothing. */
const answerMs = 170_000
const noBrowser =
  'Python runs in the browser of the person who asks, and this request comes from none. Use JavaScript instead.'

const Answer = z.object({ output: z.string().catch(''), error: z.string().optional().catch(undefined) })

interface Needs {
  realtime: Pick<Realtime, 'call'>
  ids: Ids
}

export const python = (needs: Needs): ToolSource =>
  builtinSource({
    id: pythonToolId,
    name: 'Python',
    description: 'Runs Python in your browser to calculate and to work on text and data.',
    tools: [
      {
        name: 'run_python',
        routes: [],
        description:
          'Runs Python 3 and returns what it prints and the value of its last expression. Standard library only; no network, no files, at most 30 seconds. Each run starts anew.',
        parameters: {
          type: 'object',
          properties: { code: { type: 'string', description: 'The program.' } },
          required: ['code'],
        },
        timeLimitMs: answerMs + 10_000,
        needsBrowser: true,
        run: ({ code }, context) => runPython(needs, code, context),
      },
    ],
  })

const runPython = async ({ realtime, ids }: Needs, given: unknown, context: ToolContext): Promise<ToolResult> => {
  const { actor, chatId, messageId, sessionId, emit, signal } = context
  if (sessionId === null) throw new AppError('tool_failed', { detail: noBrowser })
  const { id, code, end, fail } = beginCodeRun({ ids, emit }, { name: 'Python', language: 'python' }, given)
  const data = { type: 'execute:python', data: { id, code } }
  const event = { chat_id: chatId, message_id: messageId, data }
  const answer = await realtime
    .call({ userId: actor.id, sessionId, event, timeoutMs: answerMs, signal })
    .catch((problem: unknown) => {
      signal.throwIfAborted()
      throw problem instanceof AppError ? fail('', problem.message) : problem
    })
  const { success, data: result } = Answer.safeParse(answer)
  if (!success) throw fail('', 'The browser can’t run Python.')
  if (result.error !== undefined) throw fail(result.output, result.error)
  return end(result.output)
}
