/** The second messages API: its requests, replies, streams and errors, on top of the completion pipeline. */
import { pingEveryMs } from '#kernel/http/replies/early-head.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { MessagesFormatContext } from './context.ts'
import { messageRoutes } from './routes.ts'

export interface MessagesFormatNeeds extends Omit<MessagesFormatContext, 'ids' | 'silenceMs'> {
  kernel: Pick<Kernel, 'ids'>
  silenceMs?: number | undefined
}

export const createMessagesFormat = ({
  kernel: { ids },
  silenceMs = pingEveryMs,
  ...rest
}: MessagesFormatNeeds): Module => ({
  routes: messageRoutes({ ids, silenceMs, ...rest }),
})
