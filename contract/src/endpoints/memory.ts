/** What is remembered of a person. */

import { Memory, MemoryBody, MemoryList, MemorySettingsBody } from '../chats/memories.ts'
import { del, get, patch, post, put } from '../endpoint.ts'

export const listMemories = get('/api/v1/memories', { reply: MemoryList })
export const addMemory = post('/api/v1/memories', { body: MemoryBody, reply: Memory, status: 201 })
export const setMemorySettings = put('/api/v1/memories/settings', { body: MemorySettingsBody, reply: MemoryList })
export const changeMemory = patch('/api/v1/memories/:id', { body: MemoryBody, reply: Memory })
export const forgetMemory = del('/api/v1/memories/:id')
export const forgetEverything = del('/api/v1/memories')
