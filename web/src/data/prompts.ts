/** The viewer's prompts, and those shared with them. */
import * as endpoints from '@chancery/contract/endpoints/chats.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/http/call.ts'

export const promptsQuery = queryOptions({ queryKey: ['prompts'], queryFn: () => call(endpoints.listPrompts) })
