/** SCIM 2.0 (RFC 7644) for an organization's directory, and what its administrators set up for it. */
import { z } from 'zod'
import { del, get, patch, post, put } from '../../endpoint.ts'
import {
  NewScimToken,
  ScimSettings,
  ScimSettingsPatch,
  ScimTokenBody,
  ScimTokenList,
} from '../../organizations/scim.ts'

export const listScimTokens = get('/api/org/scim-tokens', { reply: ScimTokenList })
export const createScimToken = post('/api/org/scim-tokens', { body: ScimTokenBody, reply: NewScimToken, status: 201 })
export const revokeScimToken = del('/api/org/scim-tokens/:id')
export const getScimSettings = get('/api/org/scim-settings', { reply: ScimSettings })
export const changeScimSettings = patch('/api/org/scim-settings', { body: ScimSettingsPatch, reply: ScimSettings })
export const allowDeactivations = post('/api/org/scim-settings/allow-deactivations', { reply: ScimSettings })

/** Whatever directories add to an address is ignored. */
const query = z.looseObject({
  filter: z.string().optional(),
  startIndex: z.string().optional(),
  count: z.string().optional(),
  attributes: z.string().optional(),
  excludedAttributes: z.string().optional(),
})
const says = { reply: 'raw', query } as const
const sends = { ...says, body: z.unknown() }

export const listScimUsers = get('/scim/v2/Users', says)
export const createScimUser = post('/scim/v2/Users', sends)
export const getScimUser = get('/scim/v2/Users/:id', says)
export const replaceScimUser = put('/scim/v2/Users/:id', sends)
export const patchScimUser = patch('/scim/v2/Users/:id', sends)
export const deleteScimUser = del('/scim/v2/Users/:id', says)
export const listScimGroups = get('/scim/v2/Groups', says)
export const createScimGroup = post('/scim/v2/Groups', sends)
export const getScimGroup = get('/scim/v2/Groups/:id', says)
export const replaceScimGroup = put('/scim/v2/Groups/:id', sends)
export const patchScimGroup = patch('/scim/v2/Groups/:id', sends)
export const deleteScimGroup = del('/scim/v2/Groups/:id', says)
export const getScimProvider = get('/scim/v2/ServiceProviderConfig', says)
export const listScimSchemas = get('/scim/v2/Schemas', says)
export const getScimSchema = get('/scim/v2/Schemas/:schema', says)
export const listScimTypes = get('/scim/v2/ResourceTypes', says)
export const getScimType = get('/scim/v2/ResourceTypes/:name', says)
