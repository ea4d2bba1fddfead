/** Model connections, custom models and the defaults. */

import { del, get, patch, post, put } from '../endpoint.ts'
import {
  Connection,
  ConnectionBody,
  ConnectionList,
  ConnectionPatch,
  ConnectionTest,
  ConnectionTestBody,
} from '../models/connections.ts'
import { ModelDefaultsBody, ModelDefaultsReply } from '../models/defaults.ts'
import {
  CustomModelList,
  Model,
  ModelBody,
  ModelIdQuery,
  ModelItem,
  ModelList,
  ModelListQuery,
  ModelPatch,
} from '../models/models.ts'

export const listConnections = get('/api/v1/connections', { reply: ConnectionList })
export const createConnection = post('/api/v1/connections', { body: ConnectionBody, reply: Connection, status: 201 })
export const testConnection = post('/api/v1/connections/test', { body: ConnectionTestBody, reply: ConnectionTest })
export const getConnection = get('/api/v1/connections/:id', { reply: Connection })
export const changeConnection = patch('/api/v1/connections/:id', { body: ConnectionPatch, reply: Connection })
export const deleteConnection = del('/api/v1/connections/:id')
export const getModelDefaults = get('/api/v1/models/defaults', { reply: ModelDefaultsReply })
export const setModelDefaults = put('/api/v1/models/defaults', { body: ModelDefaultsBody, reply: ModelDefaultsReply })
export const listCustomModels = get('/api/v1/models/custom', { reply: CustomModelList })
export const getCustomModel = get('/api/v1/models/model', { query: ModelIdQuery, reply: Model })
export const createModel = post('/api/v1/models/create', { body: ModelBody, reply: Model, status: 201 })
export const updateModel = post('/api/v1/models/model/update', { query: ModelIdQuery, body: ModelPatch, reply: Model })
export const deleteModel = del('/api/v1/models/model/delete', { query: ModelIdQuery })
export const listModels = get('/api/models', { query: ModelListQuery, reply: ModelList })
export const getModel = get('/api/models/*', { reply: ModelItem })
