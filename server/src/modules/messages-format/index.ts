/** The second messages API: its requests, replies, streams and errors, on top of the completion pipeline. */
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { MessagesFormatContext } from './context.ts'
import { messageRoutes } from './routes.ts'

export interface MessagesFormatNeeds extends Omit<MessagesFormatContext, 'ids'> {
  kernel: Pick<Kernel, 'ids'>
}

export const createMessagesFormat = ({ kernel: { ids }, completions, models }: MessagesFormatNeeds): Module => ({
  routes: messageRoutes({ ids, completions, models }),
})
