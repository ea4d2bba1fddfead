/**
 * `builtin:code`: runs JavaScript that a model writes, in a sandbox like a plugin's, without network. The run is shown
 * with the message as it starts and again with its result. `features.code_interpreter` adds it to a request.
 */
import type { CompletionBody } from '@chancery/contract/completions.ts'
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Completions } from '#modules/completions/index.ts'
import { builtinSource, type ToolContext, type ToolResult, type ToolSource } from '#modules/tools/index.ts'
import type { RunCode } from '../run-code.ts'

export const codeToolId = 'builtin:code'
const maxCodeLength = 100_000
const maxOutputLength = 50_000
const wallMs = 30_000

interface Needs {
  runCode: RunCode
  ids: Kernel['ids']
}

export const codeInterpreter = (needs: Needs): ToolSource =>
  builtinSource({
    id: codeToolId,
    name: 'Code interpreter',
    description: 'Runs JavaScript to calculate and to work on text and data.',
    tools: [
      {
        name: 'run_javascript',
        description:
          'Runs JavaScript and returns what it logs with console.log and the value of its last return statement. No network, no files.',
        parameters: {
          type: 'object',
          properties: { code: { type: 'string', description: 'The body of an async function.' } },
          required: ['code'],
        },
        run: async ({ code }, context) => {
          if (typeof code !== 'string' || code.length > maxCodeLength)
            throw new AppError('tool_failed', { detail: 'code is missing or too long.' })
          return runFor(needs, code, context)
        },
      },
    ],
  })

const runFor = async (
  { runCode: run, ids }: Needs,
  code: string,
  { actor, emit, signal }: ToolContext,
): Promise<ToolResult> => {
  const id = ids.next()
  const show = (result?: object): void =>
    emit({
      type: 'source',
      data: { type: 'code_execution', id, name: 'JavaScript', language: 'javascript', code, ...(result && { result }) },
    })
  show()
  const lines: string[] = []
  const onLog = (line: string) => void lines.push(line)
  const outcome = await run({ ownerId: `chat ${actor.id}`, code, args: {}, signal, wallMs, onLog })
  if (outcome.kind === 'value') {
    const value = outcome.value === undefined ? [] : [shown(outcome.value)]
    const output = [...lines, ...value].join('\n').slice(0, maxOutputLength)
    show({ output })
    return { content: output === '' ? 'It ran and logged nothing.' : output }
  }
  const error = outcome.message.slice(0, 2000)
  show({ output: lines.join('\n').slice(0, maxOutputLength), error })
  throw new AppError('tool_failed', { detail: [...lines, error].join('\n').slice(0, maxOutputLength) })
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Added to the tools of the request; with tools of the caller's own, theirs are the only ones. */
export const registerCodeFeature = (completions: Pick<Completions, 'registerFeature'>): void =>
  completions.registerFeature('code_interpreter', async (body): Promise<CompletionBody> => {
    const known = body.tool_ids ?? []
    return known.includes(codeToolId) ? body : { ...body, tool_ids: [...known, codeToolId] }
  })
