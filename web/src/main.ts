import { createApp } from 'vue';
import App from './App.vue';
import { i18n } from './i18n/i18n';
import { createSiteRouter } from './router';
import { takeLandingFromAddress } from './session/forum-landing';
import { rememberPromoter } from './session/promoter';
import { followConfig } from './session/use-config';
import './styles/base.css';
import './styles/panel.css';
import './styles/controls.css';

takeLandingFromAddress();
rememberPromoter(location.search);
followConfig();
createApp(App).use(i18n).use(createSiteRouter()).mount('#app');
