/** The one door to other servers. */
export type { OutboundRequest } from './fetch-through.ts'
export { createOutbound, type Outbound, type ResolvedTarget } from './outbound.ts'
export { type OutboundReply, readReplyJson } from './reply.ts'
export { hostPortOf } from './target.ts'
