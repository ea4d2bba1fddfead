/** What calls to tool servers of either kind share. Failures are sentences for the model. */
import { AppError } from '#kernel/errors.ts'
import type { Tool, ToolContext, ToolResult } from '#modules/tools/index.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { RemoteTool } from './remote-tool.ts'
import type { Asking } from './request-headers.ts'

export interface OpenServer extends ToolServerRecord {
  key: string | null
}

export const listMs = 10_000
export const callMs = 110_000
const maxImageLength = 4_000_000

export type Run = (args: Record<string, unknown>, context: ToolContext) => Promise<ToolResult>

export const toolOf = ({ name, description, parameters }: RemoteTool, run: Run): Tool => ({
  name,
  description,
  parameters,
  run: async (args, context) => {
    try {
      return await run(args, context)
    } catch (problem) {
      context.signal.throwIfAborted()
      throw new AppError('tool_failed', { detail: reasonOf(problem) })
    }
  },
})

/** Without addresses and keys: the model and the person read it. */
export const reasonOf = (problem: unknown): string =>
  problem instanceof AppError
    ? problem.message
    : `The tool server failed: ${String((problem as Error)?.message).slice(0, 300)}`

export interface Call {
  asking: Asking
  signal: AbortSignal
}

export const callOf = ({ actor, chatId, messageId, signal }: ToolContext): Call => ({
  asking: { actor, chatId, messageId },
  signal,
})

const imageType = /^image\/(png|jpeg|gif|webp)$/

export const showImages = (context: ToolContext, images: readonly { data: string; mimeType: string }[]): void => {
  const files = images
    .filter(({ data, mimeType }) => imageType.test(mimeType) && data.length <= maxImageLength)
    .map(({ data, mimeType }) => ({ type: 'image', url: `data:${mimeType};base64,${data}` }))
  if (files.length > 0) context.emit({ type: 'files', data: { files } })
}
