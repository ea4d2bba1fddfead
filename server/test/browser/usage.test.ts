import { buffer as bytesOf } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Person } from '../harness/people.ts'
import { goTo, hasBrowser, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const app = await browserApp()
const nilId = '00000000-0000-0000-0000-000000000000'
const dayMs = 86_400_000
const models = ['wise', 'swift', 'llama3:8b'] as const

/** Ten days of work, as the usage tables record it. */
const useModels = (people: readonly Person[]) =>
  app.db
    .insertInto('usageDays')
    .values(
      people.flatMap((person, who) =>
        Array.from({ length: 10 }, (_, age) => age).flatMap((age) =>
          models.map((model, which) => {
            const weight = ((age * 7 + who * 3 + which * 5) % 11) + 1
            return {
              day: new Date(Date.now() - age * dayMs).toISOString().slice(0, 10),
              principalKind: 'user' as const,
              principalId: person.id,
              organizationId: person.organizationId ?? nilId,
              keyId: nilId,
              model,
              requests: weight * (3 - which),
              failures: weight > 9 ? 1 : 0,
              promptTokens: weight * 900 * (3 - which),
              completionTokens: weight * 400 * (3 - which),
            }
          }),
        ),
      ),
    )
    .execute()

describe.runIf(hasBrowser)('usage', () => {
  it("shows an admin the organization's by person and their own by day and model, as a file too, and what a limit leaves", async () => {
    const admin = await app.user({ name: 'Dora Wills', org: 'Wills and Sons' })
    const member = await app.user({ name: 'Emil Novak', org: 'Wills and Sons' })
    const { page, inspect, problems } = await visit(`${app.url}/account/usage`, { as: admin })
    await page.getByText('No usage', { exact: true }).first().waitFor()
    await page.getByText('0 · no limit').first().waitFor()

    await useModels([admin, member])
    await goTo(page, '/organization/usage?by=user')
    await page
      .getByRole('table', { name: 'Usage by person' })
      .getByRole('row', { name: /Emil Novak/ })
      .waitFor()
    await page.getByRole('button', { name: 'New limit' }).click()
    const dialog = page.getByRole('dialog', { name: 'New limit' })
    await dialog.getByRole('combobox', { name: 'Find a person' }).fill('dora')
    await dialog.getByRole('option', { name: /Dora Wills/ }).click()
    await dialog.getByLabel('Tokens per day').fill('1,000,000')
    await inspect('organization-limit')
    await dialog.getByRole('button', { name: 'Create limit' }).click()
    await page.getByRole('row', { name: /Dora Wills.*1,000,000/ }).waitFor()
    expect(await admin.get('/api/v1/usage/allowance')).toMatchObject({ body: { tokens_today: { limit: 1_000_000 } } })
    expect(await member.get('/api/v1/usage/allowance')).toMatchObject({ body: { tokens_today: { limit: null } } })

    await goTo(page, '/account/usage')
    await page.getByRole('meter', { name: 'Today' }).waitFor()
    await page.getByRole('table', { name: 'Usage by model' }).getByRole('row', { name: /wise/ }).waitFor()
    await page.locator('.recharts-bar-rectangle').first().waitFor()
    await inspect('account-usage')
    await page.getByText('7 days').click()
    await page.waitForURL('**/account/usage?days=7')
    await page.getByRole('group', { name: 'Measure' }).getByText('Requests').click()
    await page.waitForURL('**measure=requests')
    const started = page.waitForEvent('download')
    await page.getByRole('link', { name: 'CSV' }).click()
    const file = (await bytesOf(await (await started).createReadStream())).toString()
    expect(file).toContain('llama3:8b')

    await goTo(page, '/organization/usage')
    // When it comes, the limits move down, and with them a menu that is open.
    await page.getByRole('table', { name: 'Usage by model' }).getByRole('row', { name: /wise/ }).waitFor()
    await page.getByRole('button', { name: 'Actions for the limit of Dora Wills' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove limit' }).click()
    await page.getByText('No limits yet').waitFor()
    expect(problems).toEqual([])
  })

  it("shows the whole instance's, with limits for everyone and for a group of an organization", async () => {
    const owner = await app.platformOwner()
    const lead = await app.user({ name: 'Paula Reyes', org: 'Northgate Mills' })
    await useModels([lead])
    await lead.post('/api/org/groups', { name: 'Night shift', memberIds: [lead.id] })
    const { page, inspect } = await visit(`${app.url}/platform/usage`, { as: owner })
    await page.getByRole('table', { name: 'Usage by model' }).getByRole('row', { name: /swift/ }).waitFor()
    await page.getByRole('button', { name: 'New limit' }).click()
    const dialog = page.getByRole('dialog', { name: 'New limit' })
    await dialog.getByRole('button', { name: 'Create limit' }).click()
    await dialog.getByText('Set at least one number.').waitFor()
    await dialog.getByLabel('Requests per minute').fill('60')
    await dialog.getByRole('button', { name: 'Create limit' }).click()
    await page.getByRole('row', { name: /Everyone.*60/ }).waitFor()
    await page.getByRole('button', { name: 'Actions for the limit of Everyone' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Tokens per month').fill('5000000')
    await page.getByRole('button', { name: 'Save limit' }).click()
    await page.getByRole('row', { name: /Everyone.*5,000,000/ }).waitFor()

    await page.getByRole('button', { name: 'New limit' }).click()
    await dialog.getByLabel('Applies to').selectOption('group')
    await dialog.getByRole('combobox', { name: 'Find a group' }).fill('northgate')
    await dialog.getByRole('option', { name: 'Night shift Northgate Mills · 1 person' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Change' }).waitFor()
    await dialog.getByLabel('Tokens per day').fill('200000')
    await dialog.getByRole('button', { name: 'Create limit' }).click()
    await page.getByRole('row', { name: /Night shift.*Group, per person.*200,000/ }).waitFor()
    expect(await lead.get('/api/v1/usage/allowance')).toMatchObject({ body: { tokens_today: { limit: 200_000 } } })
    await inspect('platform-usage')
  })
})
