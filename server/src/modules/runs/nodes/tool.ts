/** Runs one tool, without a model. */
import type { Db } from '#kernel/db/database.ts'
import { parseForeign } from '#kernel/json/parse-foreign.ts'
import type { Tool, Tools } from '#modules/tools/index.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { ConfigOf, Executor, NodeCall } from '../shared/node-interface.ts'
import { getRunActor } from '../shared/run-actor.ts'

interface Needs {
  db: Db
  tools: Pick<Tools, 'resolve'>
}

/** `server:mcp:crm` may have several functions; `server:mcp:crm/find_customer` names one of them. */
const functionOf = (tools: readonly Tool[], name: string | undefined): Tool => {
  const found =
    name === undefined ? (tools.length === 1 ? tools[0] : undefined) : tools.find((tool) => tool.name === name)
  if (found) return found
  const names = tools.map((tool) => tool.name).join(', ')
  throw new NodeFailure(`The tool has several functions. Add one of them after a slash: ${names}.`, { canRetry: false })
}

export const tool =
  ({ db, tools }: Needs): Executor<ConfigOf<'tool'>> =>
  async ({ config, fill, run, signal }: NodeCall<ConfigOf<'tool'>>) => {
    const actor = await getRunActor(db, run)
    const slash = config.tool.lastIndexOf('/')
    const [id, name] =
      slash < 0 ? [config.tool, undefined] : [config.tool.slice(0, slash), config.tool.slice(slash + 1)]
    const found = functionOf(await tools.resolve(actor, [id], signal), name)
    const args = fill(config.arguments ?? {}) as Record<string, unknown>
    const context = { actor, signal, chatId: null, messageId: null, sessionId: null, emit: () => undefined }
    const { content, sources } = await found.run(args, context)
    return { kind: 'done', output: { content, data: readJson(content), ...(sources && { sources }) } }
  }

/** A result in JSON can be used field by field. */
const readJson = (content: string): unknown => {
  try {
    return parseForeign(content, { exactly: true })
  } catch {
    return null
  }
}
