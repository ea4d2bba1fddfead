/** The second messages API: its requests, replies, streams and errors over the one pipeline. */
import type { Module } from '#kernel/kernel.ts'
import type { MessagesFormatContext } from './context.ts'
import { messageRoutes } from './routes.ts'

export const createMessagesFormat = (context: MessagesFormatContext): Module => ({ routes: messageRoutes(context) })
