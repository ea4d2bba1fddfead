/** Tools that run only after the person who asked approves, in the browser that they asked from. */
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import type { Realtime, RealtimeConfig } from '#modules/realtime/index.ts'
import type { Tool, ToolContext } from './interface.ts'

const maxShown = 2_000
const usualLimitMs = 120_000

/** People who approve must know when there is more than they see: arguments can be padded to hide the rest. */
const shownArguments = (args: Record<string, unknown>): string => {
  const text = JSON.stringify(args, null, 2)
  const rest = text.length - maxShown
  return rest <= 0 ? text : `${text.slice(0, maxShown)}\n… and ${rest} more characters that aren’t shown.`
}

const refused = (detail: string): AppError => new AppError('tool_failed', { detail })

export interface ApprovalContext {
  realtime: Pick<Realtime, 'call'>
  kernel: Pick<Kernel<RealtimeConfig>, 'config'>
}

interface Approved {
  needsApproval: boolean
  /** The functions that were judged harmless: a new one asks, whatever it is called. */
  approvalExempt: readonly string[]
}

type IsAsked = (args: Record<string, unknown>, context: ToolContext) => boolean

/** The tool, asking first where its plugin or server wants that. */
export const withApproval = (
  tool: Tool,
  { needsApproval, approvalExempt }: Approved,
  context: ApprovalContext,
): Tool => (needsApproval && !approvalExempt.includes(tool.name) ? asking(tool, context) : tool)

/** The person's decision is told to the model: declined, not there, no answer in time. */
export const asking = (tool: Tool, { realtime, kernel }: ApprovalContext, isAsked: IsAsked = () => true): Tool => ({
  ...tool,
  timeLimitMs: (tool.timeLimitMs ?? usualLimitMs) + kernel.config.WEBSOCKET_EVENT_CALLER_TIMEOUT * 1000,
  run: async (args, context) => {
    if (!isAsked(args, context)) return tool.run(args, context)
    const { actor, sessionId, chatId, messageId, signal } = context
    if (sessionId === null) throw refused('This tool needs the approval of a person, and nobody is there to give it.')
    const data = {
      title: `Allow ${tool.name}?`,
      message: shownArguments(args),
      purpose: 'tool_approval',
    }
    const event = { chat_id: chatId, message_id: messageId, data: { type: 'confirmation', data } }
    const answer = await realtime.call({ userId: actor.id, sessionId, event, signal }).catch((problem: unknown) => {
      signal.throwIfAborted()
      throw problem instanceof AppError ? refused(`Not approved. ${problem.message}`) : problem
    })
    if (answer !== true) throw refused('The user declined to run this tool.')
    return tool.run(args, context)
  },
})
