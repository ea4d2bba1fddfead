/** The platform's settings. */

import { get, post } from '../endpoint.ts'
import { SettingList, SettingsBody } from '../platform/settings.ts'

export const getSettings = get('/api/v1/configs', { reply: SettingList })
export const changeSettings = post('/api/v1/configs', { body: SettingsBody, reply: SettingList })
