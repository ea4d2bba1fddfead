/**
 * What is asked before anybody signs in. Without their replies: the schema library would double the size of the sign-in
 * page, so the web app reads these by hand, or loads the schema with the reply. The routes name the schemas.
 */
import { get } from '../endpoint.ts'

export const getMe = get('/api/auth/me')
export const getAdmin = get('/api/admin/auth/me')
export const getSetup = get('/api/admin/auth/setup')
export const listProviders = get('/api/auth/oauth/providers')
