export { RealmHttpModule } from './realm-http.module';
export {
  GroupSettingChangeParam,
  GroupSettingParam,
  givenChanges,
  givenSettings,
  wireGroupSetting,
} from './group-setting.params';
