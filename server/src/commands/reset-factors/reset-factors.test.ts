import { expect, it } from 'vitest'
import { StartError } from '#kernel/process/start-error.ts'
import { testApp } from '#test/harness/app.ts'
import { addTotp } from '#test/harness/factors.ts'
import { password } from '#test/harness/people.ts'
import { resetFactorsOf } from './reset-factors.ts'

const app = await testApp()

it('lets a platform admin in again who has lost everything, beside the running server', async () => {
  const owner = await app.platformOwner()
  await addTotp(app, owner, '/api/admin/auth')
  const said: string[] = []
  const env = { DATABASE_URL: app.databaseUrl }
  await resetFactorsOf({ env, email: owner.email.toUpperCase(), say: (line) => said.push(line) })
  expect(said).toEqual([expect.stringContaining('Removed 1 second factors of the platform admin')])
  expect(await owner.get('/api/admin/auth/me')).toMatchObject({ status: 401 })
  const login = await app.newcomer().post('/api/admin/auth/login', { email: owner.email, password })
  expect(login).toMatchObject({ status: 200, body: { token: expect.any(String) } })
  await expect(resetFactorsOf({ env, email: 'nobody@example.test', say: () => undefined })).rejects.toThrow(StartError)
})
