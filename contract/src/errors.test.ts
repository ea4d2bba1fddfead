import { expect, it } from 'vitest'
import { accountsErrors } from './errors/accounts.ts'
import { chatsErrors } from './errors/chats.ts'
import { requestErrors } from './errors/request.ts'
import { signingErrors } from './errors/signing.ts'
import { workflowsErrors } from './errors/workflows.ts'
import { errorTable } from './errors.ts'

it('a code has one meaning: no two areas use the same', () => {
  const areas = [requestErrors, accountsErrors, chatsErrors, workflowsErrors, signingErrors]
  const codes = areas.flatMap((area) => Object.keys(area)).sort()
  expect(codes).toEqual(Object.keys(errorTable).sort())
})
