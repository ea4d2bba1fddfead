/** Token usage and its limits. */

import { del, get, patch, post } from '../endpoint.ts'
import { PageQuery } from '../lists.ts'
import { Allowance, LimitBody, LimitPatch, UsageLimit, UsageLimitList, UsageQuery } from '../models/usage.ts'

export const listLimits = get('/api/v1/usage/limits', { query: PageQuery, reply: UsageLimitList })
export const createLimit = post('/api/v1/usage/limits', { body: LimitBody, reply: UsageLimit, status: 201 })
export const changeLimit = patch('/api/v1/usage/limits/:id', { body: LimitPatch, reply: UsageLimit })
export const deleteLimit = del('/api/v1/usage/limits/:id')
export const getUsage = get('/api/v1/usage', { query: UsageQuery, reply: 'raw' })
export const getAllowance = get('/api/v1/usage/allowance', { reply: Allowance })
