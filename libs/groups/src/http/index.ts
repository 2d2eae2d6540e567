export { GroupsHttpModule } from './groups-http.module';
export { groupShape } from './shapes';
