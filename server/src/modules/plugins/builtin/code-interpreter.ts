/**
 * `builtin:code`: runs JavaScript that a model writes, in a sandbox like a plugin's, without network. `features.code_interpreter` adds
 * it to a request, and Python with it.
 */
import type { CompletionBody } from '@chancery/contract/chats/completions.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { RunCode } from '#kernel/run-code.ts'
import type { Completions } from '#modules/completions/index.ts'
import { builtinSource, type ToolContext, type ToolResult, type ToolSource } from '#modules/tools/index.ts'
import { beginCodeRun } from './code-run.ts'
import { pythonToolId } from './python.ts'

const codeToolId = 'builtin:code'
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
        routes: [],
        description:
          'Runs JavaScript and returns what it logs with console.log and the value of its last return statement. No network, no files.',
        parameters: {
          type: 'object',
          properties: { code: { type: 'string', description: 'The body of an async function.' } },
          required: ['code'],
        },
        run: ({ code }, context) => runFor(needs, code, context),
      },
    ],
  })

const runFor = async (
  { runCode: run, ids }: Needs,
  given: unknown,
  { actor, emit, signal }: ToolContext,
): Promise<ToolResult> => {
  const { code, end, fail } = beginCodeRun({ ids, emit }, { name: 'JavaScript', language: 'javascript' }, given)
  const lines: string[] = []
  const onLog = (line: string) => void lines.push(line)
  const outcome = await run({
    tenantId: scopeOf(actor),
    ownerId: `chat ${actor.id}`,
    code,
    args: {},
    signal,
    wallMs,
    onLog,
  })
  if (outcome.kind === 'problem') throw fail(lines.join('\n'), outcome.message)
  const value = outcome.value === undefined ? [] : [shown(outcome.value)]
  return end([...lines, ...value].join('\n'))
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Added to the tools of the request; with tools of the caller's own, theirs are the only ones. Python needs a browser,
 * which only a request with a session has.
 */
export const registerCodeFeature = (completions: Pick<Completions, 'registerFeature'>): void =>
  completions.registerFeature('code_interpreter', async (body): Promise<CompletionBody> => {
    const added = body.session_id ? [codeToolId, pythonToolId] : [codeToolId]
    return { ...body, tool_ids: [...new Set([...(body.tool_ids ?? []), ...added])] }
  })
