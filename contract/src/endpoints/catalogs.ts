/** What workflows use: catalogs, HTTP credentials and spaces. */

import { del, get, patch, post } from '../endpoint.ts'
import { PageQuery } from '../lists.ts'
import {
  Catalog,
  CatalogBody,
  CatalogList,
  CatalogPatch,
  Space,
  SpaceBody,
  SpaceList,
  SpacePatch,
} from '../workflows/catalogs.ts'
import {
  CredentialBody,
  CredentialList,
  CredentialListQuery,
  CredentialPatch,
  CredentialWithUses,
} from '../workflows/http-credentials.ts'

export const listCatalogs = get('/api/v1/catalogs', { query: PageQuery, reply: CatalogList })
export const createCatalog = post('/api/v1/catalogs', { body: CatalogBody, reply: Catalog, status: 201 })
export const getCatalog = get('/api/v1/catalogs/:id', { reply: Catalog })
export const changeCatalog = patch('/api/v1/catalogs/:id', { body: CatalogPatch, reply: Catalog })
export const deleteCatalog = del('/api/v1/catalogs/:id')
export const listCredentials = get('/api/v1/http-credentials', { query: CredentialListQuery, reply: CredentialList })
export const createCredential = post('/api/v1/http-credentials', {
  body: CredentialBody,
  reply: CredentialWithUses,
  status: 201,
})
export const getCredential = get('/api/v1/http-credentials/:id', { reply: CredentialWithUses })
export const changeCredential = patch('/api/v1/http-credentials/:id', {
  body: CredentialPatch,
  reply: CredentialWithUses,
})
export const deleteCredential = del('/api/v1/http-credentials/:id')
export const listSpaces = get('/api/v1/spaces', { query: PageQuery, reply: SpaceList })
export const createSpace = post('/api/v1/spaces', { body: SpaceBody, reply: Space, status: 201 })
export const getSpace = get('/api/v1/spaces/:id', { reply: Space })
export const changeSpace = patch('/api/v1/spaces/:id', { body: SpacePatch, reply: Space })
export const deleteSpace = del('/api/v1/spaces/:id')
