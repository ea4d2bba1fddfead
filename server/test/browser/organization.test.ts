import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newChat, turn } from '../harness/conversation.ts'
import { addMembers } from '../harness/many-members.ts'
import { type Person, password } from '../harness/people.ts'
import { goTo, hasBrowser, type Visit, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const app = await browserApp({ env: { ENABLE_OAUTH_PERSISTENT_CONFIG: 'true' } })

type Tab = Pick<Visit, 'page' | 'inspect'>

const act = async (page: Page, email: string, action: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe.runIf(hasBrowser)('the members of an organization', () => {
  it('are sorted by keyboard, and several changed at once from the palette; each that failed is named, and the last admin must stay', async () => {
    const admin = await app.user({ name: 'Bea Cole', org: 'Cole Mills' })
    const people = []
    for (const name of ['Ada Cole', 'Cid Cole', 'Dan Cole']) people.push(await app.user({ name, org: 'Cole Mills' }))
    const { page, inspect, problems } = await visit(`${app.url}/organization/members`, { as: admin })
    const table = page.getByRole('table', { name: 'Members' })
    const names = () =>
      table.getByRole('checkbox', { name: /^Select .* Cole$/ }).evaluateAll((all) => all.map((one) => one.ariaLabel))
    const inOrder = ['Select Ada Cole', 'Select Bea Cole', 'Select Cid Cole', 'Select Dan Cole']
    await table.getByRole('button', { name: 'Person' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual([...inOrder].reverse())
    expect(await table.getByRole('columnheader', { name: 'Person' }).getAttribute('aria-sort')).toBe('descending')
    await page.keyboard.press('Enter')
    await expect.poll(names).toEqual(inOrder)

    await page.getByRole('checkbox', { name: 'Select Ada Cole' }).check()
    await page.getByRole('checkbox', { name: 'Select Dan Cole' }).click({ modifiers: ['Shift'] })
    expect(await page.getByRole('checkbox', { name: 'Select all on this page' }).isChecked()).toBe(true)
    const bar = page.getByRole('region', { name: 'Selected in Members' })
    await bar.getByText('4 selected').waitFor()
    expect(await bar.ariaSnapshot()).toContain('- button "Deactivate (3)"')
    // Somebody else was quicker: that one fails, the others are done.
    await app.db
      .deleteFrom('users')
      .where('id', '=', people[1]?.id ?? '')
      .execute()
    // The list can't be loaded again afterwards: what failed is still shown, above it.
    await page.route(/\/api\/org\/team\?/, (route) => route.fulfill({ status: 500, json: {} }))
    // The command palette offers the same actions for what is selected.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search commands' }).fill('deactivate')
    await page.getByRole('option', { name: 'Deactivate: 3 people' }).click()
    const question = page.getByRole('alertdialog', { name: 'Deactivate 3 people?' })
    await question.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('2 people deactivated').waitFor()
    await bar
      .getByRole('alert')
      .getByText(/^Cid Cole: /)
      .waitFor()
    await page.unroute(/\/api\/org\/team\?/)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await table.getByRole('checkbox', { name: 'Select Cid Cole' }).waitFor({ state: 'detached' })
    expect((await people[0]?.get('/api/auth/me'))?.status).toBe(401)
    await bar.getByRole('button', { name: 'Clear' }).click()
    await bar.waitFor({ state: 'detached' })
    expect(await table.ariaSnapshot()).toContain('- columnheader "Select all on this page"')

    await act(page, admin.email, 'Deactivate')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Deactivate' }).click()
    await dialog.getByText("You can't remove the last active admin.").waitFor()
    await inspect('organization-last-admin')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(problems.filter((problem) => !problem.includes('500'))).toEqual([])
  })

  it('are found by page and search in a company of more than 5,000, and put into a group', async () => {
    const org = 'Crowd Mills'
    const admin = await app.user({ name: 'Zoe Zimmer', org })
    const member = await app.user({ name: 'Zack Zander', org })
    await addMembers(app.db, admin.organizationId)
    const { page, inspect, problems } = await visit(`${app.url}/organization/members`, { as: admin })
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByText('1–25 of 5102').waitFor()
    await pages.getByRole('button', { name: 'Next page' }).click()
    await pages.getByText('26–50 of 5102').waitFor()
    await inspect('organization-many-members')
    await page.getByLabel('Search members').fill('zander')
    await page.getByRole('row', { name: /Zack Zander/ }).waitFor()
    await page
      .getByRole('row', { name: /^Select Aa/ })
      .first()
      .waitFor({ state: 'detached' })

    await goTo(page, '/organization/groups?open=new')
    const dialog = page.getByRole('dialog', { name: 'New group' })
    await dialog.getByLabel('Name').fill('Late')
    await dialog.getByText('5052 more. Type a name to find them.').waitFor()
    await dialog.getByLabel('Find people').fill('zander')
    await dialog.getByRole('checkbox', { name: /Zack Zander/ }).check()
    await inspect('organization-many-in-group')
    await dialog.getByRole('button', { name: 'Create group' }).click()
    await page.getByRole('row', { name: /Late.*1 person/ }).waitFor()
    await page.getByRole('button', { name: 'Actions for Late' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edited = page.getByRole('dialog', { name: 'Edit group' })
    expect(await edited.getByRole('checkbox', { name: /Zack Zander/ }).isChecked()).toBe(true)

    const colleague = await visit(`${app.url}/organization`, { as: member })
    const people = colleague.page.getByRole('list', { name: 'People' }).getByRole('listitem')
    await people.first().filter({ hasText: 'Zoe Zimmer' }).waitFor()
    await colleague.page.getByLabel('Search people').fill('Zack')
    await people.filter({ hasText: 'Zack Zander' }).waitFor()
    await colleague.page.keyboard.press('Control+k')
    await colleague.page.getByRole('combobox').fill('zimmer')
    await colleague.page.getByRole('option', { name: /^Zoe Zimmer/ }).click()
    await people.first().filter({ hasText: 'Zoe Zimmer' }).waitFor()
    expect(await people.count()).toBe(1)
    expect([...problems, ...colleague.problems]).toEqual([])
  })

  it('are invited and join in another browser, where they see the colleagues and nothing to change; roles can change', async () => {
    const admin = await app.user({ name: 'Bohdan Kovalenko', org: 'Aldgate Paper Company' })
    const member = await app.user({ name: 'Emil Novak', org: 'Aldgate Paper Company' })
    const { page, inspect, problems } = await visit(`${app.url}/organization/members`, { as: admin })
    await page.getByRole('button', { name: 'Invite people' }).click()
    await page.getByLabel('Email').fill('chloe@aldgate.test')
    await inspect('organization-invite')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('row', { name: /chloe@aldgate.test.*Pending/ }).waitFor()
    await inspect('organization-members')

    const link = (await app.letterTo('chloe@aldgate.test')).link()
    const guest = await visit(`${app.url}${link}`)
    await guest.page.getByRole('heading', { name: 'Join Aldgate Paper Company' }).waitFor()
    await guest.inspect('accept-invite')
    await guest.page.getByLabel('Your name').fill('Chloe Martin')
    await guest.page.getByLabel('Password', { exact: true }).fill(password)
    await guest.page.getByRole('button', { name: 'Join Aldgate Paper Company' }).click()
    await guest.page.waitForURL('**/home')
    await goTo(guest.page, '/organization/members')
    await guest.page.getByRole('listitem').filter({ hasText: 'Bohdan Kovalenko' }).getByText('Admin').waitFor()
    expect(await guest.page.getByRole('navigation', { name: 'Organization' }).count()).toBe(0)
    expect(await guest.page.getByRole('main').getByRole('button').count()).toBe(0)
    await goTo(guest.page, link)
    await guest.page.getByRole('heading', { name: 'This invitation is invalid or has expired' }).waitFor()

    await act(page, member.email, 'Make admin')
    await page.getByRole('row', { name: /Emil Novak.*Organization admin/ }).waitFor()
    expect(await member.get('/api/auth/me')).toMatchObject({ body: { role: 'ROLE_ORG_ADMIN' } })
    // Each change shows what has changed elsewhere.
    await page.getByRole('row', { name: /Chloe Martin/ }).waitFor()
    await page.getByText('No pending invitations').waitFor()
    await act(page, member.email, 'Deactivate')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('row', { name: /Emil Novak.*Deactivated/ }).waitFor()
    expect((await member.get('/api/auth/me')).status).toBe(401)
    await act(page, member.email, 'Reactivate')
    await page.getByRole('row', { name: /Emil Novak.*Active/ }).waitFor()
    expect(problems).toEqual([])
  })
})

describe.runIf(hasBrowser)('the organization of an administrator', () => {
  it('has a name, a plan, ways to sign in, groups and ratings, and becomes read-only when the trial is over', async () => {
    const admin = await app.user({ name: 'Hana Sato', org: 'Sato Prints' })
    const member = await app.user({ name: 'Greta Lund', org: 'Sato Prints' })
    await rateReply(admin)
    const { page, inspect, problems } = await visit(`${app.url}/organization`, { as: admin })
    await page.getByRole('meter', { name: 'Seats' }).waitFor()
    await inspect('organization-overview')
    await keepApprovals(page, admin)
    await page.getByLabel('Organization name').fill('Sato and Daughters')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('heading', { name: 'Sato and Daughters' }).waitFor()

    await page.getByRole('main').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForURL('**/organization/sign-in')
    await connectDirectory({ page, inspect }, admin)
    await page.getByRole('switch', { name: 'Require a login code' }).click()
    const reply = () => app.newcomer().post('/api/auth/login', { email: admin.email, password })
    await expect.poll(async () => (await reply()).body.otpRequired).toBe(true)

    const tabs = page.getByRole('navigation', { name: 'Organization' })
    await tabs.getByRole('link', { name: 'Groups' }).click()
    await changeGroups({ page, inspect }, admin)
    await tabs.getByRole('link', { name: 'Ratings' }).click()
    const table = page.getByRole('table', { name: 'Ratings', exact: true })
    await table.getByRole('row', { name: /Hana Sato.*swift.*Bad.*Too heavy.*Open/ }).waitFor()
    const read = await table.ariaSnapshot()
    for (const line of ['columnheader "Person"', 'cell "Too heavy"', 'link "Open"']) expect(read).toContain(line)
    await inspect('organization-ratings')
    await page.getByLabel('Rating', { exact: true }).selectOption('Good')
    await page.getByText('No ratings yet').waitFor()

    await tabs.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite people' }).waitFor()
    const trialEndsAt = new Date(Date.now() - 86_400_000)
    await app.db.updateTable('organizations').set({ trialEndsAt }).where('name', '=', 'Sato and Daughters').execute()
    // The refusal shows that the organization has changed.
    await act(page, member.email, 'Make admin')
    await page.getByRole('button', { name: 'Invite people' }).waitFor({ state: 'detached' })
    await page.getByText('Your trial has ended').first().waitFor()
    await page.getByText(admin.email).first().waitFor()
    expect(await member.get('/api/auth/me')).toMatchObject({ body: { role: 'ROLE_USER' } })
    expect(problems).toEqual([])
  })
})

/** A bad one in a chat that is shared. */
const rateReply = async (person: Person): Promise<void> => {
  const [question, reply] = turn('Which paper?', 'The heavy one.')
  const chat = await newChat(person, [question, { ...reply, model: 'swift' }])
  await person.put(`/api/v1/chats/${chat.id}/messages/${reply.id}/rating`, { rating: 'bad', reason: 'Too heavy' })
  await person.post(`/api/v1/chats/${chat.id}/share`)
}

const keepApprovals = async (page: Page, admin: Person): Promise<void> => {
  const approvals = page.getByRole('region', { name: 'Approvals' })
  await approvals.getByText('kept forever, like the audit log').waitFor()
  await (await app.platformOwner()).post('/api/v1/configs', { 'audit.retention_days': 100 })
  await page.reload()
  const days = approvals.getByLabel('Keep answered approvals for (days)')
  await days.fill('50')
  await approvals.getByRole('button', { name: 'Save' }).click()
  await approvals.getByText("approvals can't be kept for a shorter time").waitFor()
  await days.fill('400')
  await approvals.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Approvals saved').waitFor()
  expect((await admin.get('/api/v1/approvals/retention')).body).toEqual({ days: 400, audit_log_days: 100 })
}

/** Tries it step by step; its password is never shown again. */
const connectDirectory = async ({ page, inspect }: Tab, admin: Person): Promise<void> => {
  await page.getByText('To switch to company login, add an identity provider below').waitFor()
  await inspect('organization-sign-in')
  await page.getByRole('button', { name: 'Connect directory' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await dialog.getByText('Enter a base DN.').waitFor()
  const server = dialog.getByLabel('Server URL')
  await expect.poll(() => server.evaluate((field) => field === document.activeElement)).toBe(true)
  await server.fill('ldap://127.0.0.1:9')
  await dialog.getByText('Enter a base DN.').waitFor({ state: 'detached' })
  await dialog.getByLabel('Bind DN').fill('cn=reader,dc=example,dc=test')
  await dialog.getByLabel('Bind password').fill('a secret nobody sees')
  await dialog.getByLabel('Base DN').fill('dc=example,dc=test')
  await dialog.getByRole('button', { name: 'Add group' }).click()
  await dialog.getByLabel('Group DN').fill('cn=admins,dc=example,dc=test')
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  const result = dialog.getByRole('region', { name: 'Test result' })
  await result.getByRole('listitem').first().waitFor()
  await inspect('organization-directory')
  await dialog.getByLabel('Base DN').fill('dc=roca,dc=test')
  await result.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Save directory' }).click()
  await page.getByText('ldap://127.0.0.1:9').waitFor()

  const saved = await admin.get('/api/org/ldap')
  expect(saved).toMatchObject({ status: 200, body: { startTls: true, hasBindPassword: true } })
  expect(saved.text).not.toContain('a secret nobody sees')
  await page.getByRole('button', { name: 'Edit directory' }).click()
  expect(await dialog.getByLabel('Bind password').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/** Makes a group with somebody in it, renames it and deletes it. */
const changeGroups = async ({ page, inspect }: Tab, admin: Person): Promise<void> => {
  await page.getByText('No groups yet').waitFor()
  await page.getByRole('button', { name: 'New group' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Contracts')
  await page.getByRole('checkbox', { name: /Greta Lund/ }).check()
  await inspect('organization-group')
  await page.getByRole('button', { name: 'Create group' }).click()
  await page.getByRole('row', { name: /Contracts.*1 person/ }).waitFor()
  await inspect('organization-groups')

  await act(page, 'Contracts', 'Edit')
  await page.getByLabel('Name', { exact: true }).fill('Charters')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await act(page, 'Charters', 'Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete group' }).click()
  await page.getByText('No groups yet').waitFor()
  expect(await admin.get('/api/org/groups')).toMatchObject({ body: { total: 0 } })
}

describe.runIf(hasBrowser)('the platform console', () => {
  it('edits an organization, shows a user’s sign-ins and the ratings, saves a setting, and asks before one deletes records', async () => {
    const owner = await app.platformOwner()
    const admin = await app.user({ name: 'Kaya Demir', org: 'Demir Textiles' })
    await rateReply(admin)
    const { page, inspect } = await visit(`${app.url}/platform/organizations`, { as: owner })
    await page.getByRole('link', { name: 'Demir Textiles' }).click()
    await page.getByLabel('Plan', { exact: true }).fill('TEAM')
    await page.getByLabel('Members', { exact: true }).fill('42')
    await page.getByLabel('Email domains').fill('demir.test')
    await page.getByRole('button', { name: 'Save organization' }).click()
    await page.getByText('Demir Textiles saved').waitFor()
    await inspect('platform-organization')
    expect(await admin.get('/api/org/me')).toMatchObject({ body: { plan: { name: 'TEAM', limits: { members: 42 } } } })

    await goTo(page, '/platform/users?search=Kaya')
    await page.getByRole('link', { name: 'Kaya Demir' }).click()
    await page.getByRole('table', { name: 'Sign-ins' }).getByText('Active').first().waitFor()
    await inspect('platform-user')

    const tabs = page.getByRole('navigation', { name: 'Platform console' })
    await tabs.getByRole('link', { name: 'Ratings' }).click()
    const all = page.getByRole('table', { name: 'Ratings', exact: true })
    await all.getByRole('row', { name: /Kaya Demir.*Too heavy/ }).waitFor()
    // The texts of others aren't for the platform to read.
    expect(await all.getByRole('link').count()).toBe(0)
    await page.getByRole('table', { name: 'Ratings by model' }).getByRole('row', { name: /swift/ }).waitFor()

    await tabs.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Search settings').fill('first sign-in')
    await page.getByRole('heading', { name: 'Data retention' }).waitFor({ state: 'detached' })
    await page.getByRole('switch', { name: 'Create accounts on first sign-in' }).click()
    await page.getByRole('button', { name: 'Reset to default: Create accounts on first sign-in' }).waitFor()
    await inspect('platform-settings')
    const settings = async () => (await owner.get('/api/v1/configs')).body.items
    expect(await settings()).toContainEqual(
      expect.objectContaining({ key: 'oauth.enable_signup', value: true, source: 'database' }),
    )
    await page.getByRole('button', { name: 'Reset to default: Create accounts on first sign-in' }).click()
    await expect
      .poll(async () => (await settings()).find(({ key }: { key: string }) => key === 'oauth.enable_signup').source)
      .not.toBe('database')

    await page.getByLabel('Search settings').fill('events for')
    const days = page.getByLabel('Keep events for (days)', { exact: true })
    await days.fill('7')
    await page.getByRole('button', { name: 'Save Keep events for (days)' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete older records?' })
    await question.getByText('changes from 30 days to 7 days.').waitFor()
    await inspect('platform-shorter-retention')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await settings()).toContainEqual(expect.objectContaining({ key: 'events.retention_days', value: 30 }))
    await page.getByRole('button', { name: 'Save Keep events for (days)' }).click()
    await question.getByRole('button', { name: 'Delete older records' }).click()
    await page.getByText('“Keep events for (days)” saved').waitFor()
    expect(await settings()).toContainEqual(expect.objectContaining({ key: 'events.retention_days', value: 7 }))
  })
})
